// the arithmetic that the reader chose: shown here, kept in the address, and handed on by every link to the table, a model or a task.
// A page of one arithmetic alone names it in data-precision; the home page sends on to it
(function () {
  var radios = Array.prototype.slice.call(document.querySelectorAll("input[name=precision]"));
  var links = Array.prototype.slice.call(document.querySelectorAll("a[href]")).filter(function (a) {
    return a.protocol === location.protocol && a.host === location.host && /(^|[/])(index[.]html|can[/][^/]*|tasks[/][^/]*)$/.test(a.pathname) && !/(claims|questions|api|docs)[/]index[.]html$/.test(a.pathname);
  });
  function show(chosen) {
    document.documentElement.dataset.precision = chosen;
    links.forEach(function (a) { a.search = chosen ? "?precision=" + chosen : ""; });
  }
  var alone = document.querySelector("main [data-precision]");
  if (alone) return show(alone.dataset.precision);
  var asked = new URLSearchParams(location.search).get("precision");
  var elsewhere = Array.prototype.slice.call(document.querySelectorAll(".arithmetics a")).filter(function (a) { return a.pathname.split("/").pop() === asked + ".html"; })[0];
  if (elsewhere) return location.replace(elsewhere.href);
  radios.forEach(function (radio) {
    if (radio.value === asked) radio.checked = true;
    radio.addEventListener("change", function () {
      show(radio.value);
      try { history.replaceState(null, "", location.pathname + (radio.value ? "?precision=" + radio.value : "") + location.hash); } catch (e) { /* some browsers refuse this to a file */ }
    });
  });
  show(radios.filter(function (radio) { return radio.checked; })[0].value);
})();
