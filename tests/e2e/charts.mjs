// What the tests of <pinhole-chart> share: its picture, and what stands below it.

/** Waits for the picture of this kind, and for the sentence that it goes with. */
export async function drawn(part, kind) {
  await part.page.waitForFunction((wanted) => {
    const place = window.element.shadowRoot.querySelector(".drawing");
    return place?.dataset.drawn === wanted && place.querySelector("svg path") !== null;
  }, kind);
  return part.id("words").textContent();
}

/** The texts of the picture. */
export function texts(part) {
  return part.page.evaluate(() =>
    [...window.element.shadowRoot.querySelectorAll(".drawing svg text")]
      .map((text) => text.textContent)
      .filter(Boolean),
  );
}

export function notes(part) {
  return part.id("note").allTextContents();
}
