// Where an answer comes into sight: below the bar, its first lines within the window, and it stays there
// while it comes in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { picture, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

const QUESTION = "total amount by shop";
const LONG = Array.from(
  { length: 40 },
  (_, i) => `- Point ${"abcdefghij"[i % 10]}: Vkusno has the highest total, 912.`,
).join("\n");

/** Where the newest card is: its edges, those of its text, of the bar and of the window. */
const places = (scene) =>
  scene.page.evaluate(() => {
    const edges = (element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top: Math.round(top), bottom: Math.round(bottom) };
    };
    const card = document.querySelector('[data-testid="answer"]');
    const text = card.querySelector('[data-testid="answer-text"]');
    return {
      card: edges(card),
      text: text ? edges(text) : undefined,
      bar: edges(document.querySelector(".bar-ground")),
      window: innerHeight,
    };
  });

function inSight({ card, text, bar, window }, what) {
  const said = `${what}: ${JSON.stringify({ card, text, bar, window })}`;
  assert.ok(card.top >= bar.bottom, said);
  assert.ok(card.top <= window / 2, said);
  if (text) assert.ok(text.top + 40 < window, said);
}

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
  [390, 844],
]) {
  test(`${width} × ${height}: the first answer and those after it are in sight`, async (t) => {
    const scene = await open(t, { viewport: { width, height } });
    for (const name of ["one", "two", "three", "four", "five"])
      await scene.load(`${name}.csv`, `kind_${name},weight_${name}\na,1\nb,2\n`);
    await scene.load("purchases.csv", PURCHASES);
    await scene.page.evaluate(() => scrollTo(0, 0));
    const first = await scene.begin(QUESTION);
    const begun = await places(scene);
    await first.settled();
    const ended = await places(scene);
    inSight(ended, "the first");
    assert.equal(ended.card.top, begun.card.top, "it stayed where it was");
    await picture(scene.page, `99-reveal-${width}`);
    // Whoever has scrolled on to its end, and asks from there.
    await scene.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await scene.ask("mean amount by shop");
    inSight(await places(scene), "the second");
  });
}

test("a long answer of a model grows downwards, and what was read stays in its place", async (t) => {
  const script = [call("query", BY_SHOP), say(LONG, { pause: 5 })];
  const viewport = { width: 1280, height: 800 };
  const scene = await open(t, { model: true, script, viewport });
  await scene.load("purchases.csv", PURCHASES);
  await scene.page.evaluate(() => {
    window.tops = new Set();
    const look = () => {
      const card = document.querySelector('[data-testid="answer"]');
      if (card) window.tops.add(Math.round(card.getBoundingClientRect().top));
      requestAnimationFrame(look);
    };
    look();
  });
  await scene.ask(QUESTION);
  inSight(await places(scene), "a long one");
  assert.equal(await scene.page.evaluate(() => window.tops.size), 1);
});
