// light or dark: the reader's choice, else the system's; set before the first paint
(function () {
  var root = document.documentElement, kept = null;
  try { kept = localStorage.getItem("theme"); } catch (e) { kept = null; }
  if (kept) root.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", function () {
    // what is too wide for the screen scrolls in its own frame: by keyboard as well
    document.querySelectorAll("main :is(.statement, .steps, .formula, dd, p, ul, ol, blockquote, math)").forEach(function (x) { if (x.scrollWidth > x.clientWidth && x.tabIndex < 0 && getComputedStyle(x).overflowX === "auto") x.tabIndex = 0; });
    document.getElementById("theme").addEventListener("click", function () {
      var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { /* a file's page may not keep it */ }
    });
  });
})();
