// The page does not start without the policy that says what it may reach: csp.js, which writes it, may
// fail to load where all else comes. The first of the modules: where it throws, none of the others runs.

const SAID = {
  en: "The page’s own protection did not load. Reload the page.",
  ru: "Собственная защита страницы не загрузилась. Перезагрузите страницу.",
};

if (!document.head.querySelector('meta[content*="connect-src"]')) {
  const main = document.createElement("main");
  main.setAttribute("role", "alert");
  for (const [lang, text] of Object.entries(SAID)) {
    main.append(Object.assign(document.createElement("p"), { lang, textContent: text }));
  }
  document.body.replaceChildren(main);
  delete document.body.dataset.untold;
  throw new Error("csp.js did not load");
}
