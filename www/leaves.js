// The page about what leaves: both languages stand in it, the style shows the one of the page.

import { save } from "./settings.js";

const choices = document.querySelectorAll("[data-language]");

function show() {
  const { lang } = document.documentElement;
  document.title = `${document.querySelector(`article[lang="${lang}"] h1`).textContent} – pinhole`;
  for (const choice of choices) {
    choice.setAttribute("aria-pressed", String(choice.dataset.language === lang));
  }
}

for (const choice of choices) {
  choice.addEventListener("click", () => {
    save({ language: choice.dataset.language });
    document.documentElement.lang = choice.dataset.language;
    show();
  });
}

show();
