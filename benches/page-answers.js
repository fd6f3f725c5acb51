// Runs in the page: a long answer about a result of many rows is checked, timed from the page through
// the public API; every time is a round trip to the worker. The text and the rows are those of
// tests/claims/speed.rs.
const CITIES = ["Oslo", "Riga", "Kyiv", "Paris", "Lisbon", "Vienna", "Prague", "Dublin"];

function csv(rows) {
  const lines = ["id,city,amount,units"];
  for (let row = 0; row < rows; row += 1) {
    const amount = ((row * 7919) % 1_000_003) / 100;
    lines.push(`${row},${CITIES[row % 8]},${amount},${(row * 104_729) % 97}`);
  }
  return new window.Blob([lines.join("\n")]);
}

function answer() {
  const said = CITIES.map(
    (city, i) =>
      `In ${city} the mean amount came to ${4000 + 13 * i}.25 while the largest amount there was ` +
      `${9990 + i}.5, the smallest amount only 0.${i}9, and a sale had ${40 + i}.5 units on average ` +
      `with ${90 + i} units at most for the whole of the year. `,
  );
  return (
    "Here is how the sales of the year went, city by city, as the table shows. " +
    said.join("") +
    "Overall the table holds 1,000,000 sales with a mean amount of 5,000.01."
  );
}

window.answers = {
  async measure(rows, runs) {
    const { Pinhole } = await import("/pinhole/index.js");
    const ph = await Pinhole.open({ locale: "en" });
    await ph.load("sales", csv(rows));
    const result = await ph.query({ columns: ["id", "city", "amount", "units"] });
    const text = answer();
    const times = [];
    let claims = 0;
    for (let run = 0; run < runs; run += 1) {
      const start = performance.now();
      const found = await ph.check(text, [result]);
      times.push(performance.now() - start);
      claims = found.claims.length;
    }
    // The first check of another result, whose rows nothing has read yet, by code that has run.
    const second = await ph.query({
      columns: ["id", "city", "amount", "units"],
      where: "id >= 0",
    });
    const start = performance.now();
    await ph.check(text, [second]);
    const another = performance.now() - start;
    await ph.close();
    return { times, another, claims, words: text.split(" ").length, rows: result.rows };
  },
};
