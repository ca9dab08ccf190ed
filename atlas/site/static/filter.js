// the list of claims: every word of the search must begin a word of the claim's text; each filter must agree
(function () {
  var form = document.getElementById("filters"), search = document.getElementById("words"), found = document.getElementById("found");
  var items = Array.prototype.slice.call(document.querySelectorAll("#claims > li"));
  var names = ["paper", "topic", "kind", "verdict", "class", "how"];
  function box(name) { return document.getElementById("f-" + name); }
  function show() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0;
    items.forEach(function (item, i) {
      var fits = names.every(function (name) { return !box(name).value || item.dataset[name] === box(name).value; }) &&
        words.every(function (word) { return (" " + WORDS[i]).indexOf(" " + word) >= 0 || WORDS[i].indexOf("." + word) >= 0; });
      item.hidden = !fits;
      count += fits;
    });
    found.textContent = count + (count === 1 ? " claim" : " claims");
    var state = names.filter(function (n) { return box(n).value; }).map(function (n) { return n + "=" + encodeURIComponent(box(n).value); });
    if (words.length) state.push("words=" + encodeURIComponent(search.value));
    try { history.replaceState(null, "", state.length ? "#" + state.join("&") : "#"); } catch (e) { /* from a file some browsers refuse */ }
  }
  location.hash.slice(1).split("&").forEach(function (pair) {
    var name = pair.split("=")[0], value = decodeURIComponent(pair.split("=")[1] || "");
    if (name === "words") search.value = value;
    else if (names.indexOf(name) >= 0) box(name).value = value;
  });
  form.addEventListener("input", show);
  show();
})();
