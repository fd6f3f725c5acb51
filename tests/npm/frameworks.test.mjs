// The panel of the packed tarball inside components of React, Vue and Svelte: built by Vite as an
// application is, with the engine handed over as a property and the answer heard as an event. The
// component of React is checked by TypeScript; templates of Vue and Svelte have checkers of their own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { launch } from "../browser.mjs";
import { serve } from "../server.mjs";
import { installed } from "./installed.mjs";

const run = promisify(execFile);
const here = import.meta.dirname;

/** The packages that each is built with. */
const FRAMEWORKS = {
  react: ["react", "react-dom", "@types/react", "@types/react-dom"],
  vue: ["vue", "@vitejs/plugin-vue"],
  svelte: ["svelte", "@sveltejs/vite-plugin-svelte"],
};

for (const [framework, packages] of Object.entries(FRAMEWORKS)) {
  test(`a component of ${framework}`, async () => {
    const { folder } = await installed(framework);
    for (const name of packages) {
      const place = join(folder, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(resolve(here, "../node_modules", name), place);
    }
    if (framework === "react") {
      const tsc = resolve(here, "../../pkg-template/node_modules/.bin/tsc");
      const said = await run(tsc, ["-p", folder]).then(
        () => "",
        ({ stdout }) => stdout,
      );
      assert.equal(said, "");
    }
    const vite = resolve(here, "../node_modules/vite/bin/vite.js");
    await run("node", [vite, "build", "--logLevel", "warn"], { cwd: folder });
    const browser = await launch();
    const { server, url } = await serve(join(folder, "dist"));
    try {
      const page = await browser.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      await page.goto(url);
      await page.waitForFunction(() => document.getElementById("out")?.textContent, null, {
        timeout: 120_000,
      });
      const [answer, verdicts] = JSON.parse(await page.textContent("#out"));
      assert.match(answer, /Vkusno/);
      assert.deepEqual(new Set(verdicts), new Set(["verified"]));
      assert.ok(await page.locator("pinhole-answer mark").first().isVisible());
      assert.equal(await page.getByTestId("launcher").count(), 0, "its attribute has arrived");
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
      server.close();
    }
  });
}
