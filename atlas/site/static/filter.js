// the list of claims: what the search finds, the best first; each filter must agree; all of it lives in the address
(function () {
  var form = document.getElementById("filters"), search = document.getElementById("words"), found = document.getElementById("found");
  var list = document.getElementById("claims"), items = Array.prototype.slice.call(list.children);
  var names = ["paper", "topic", "kind", "verdict", "class", "how"];
  function box(name) { return document.getElementById("f-" + name); }
  function ranks() {
    var rank = new Map();
    Search.find(search.value).forEach(function (record) { if (record.kind === "claim") rank.set(record.page.slice("claims/".length), rank.size); });
    return rank;
  }
  function show() {
    var rank = search.value.trim() ? ranks() : null, count = 0;
    function place(item) { return rank ? rank.get(item.querySelector("a").getAttribute("href").split("/").pop()) : items.indexOf(item); }
    items.slice().sort(function (a, b) { return (place(a) === undefined) - (place(b) === undefined) || place(a) - place(b) || 0; }).forEach(function (item) {
      item.hidden = place(item) === undefined || !names.every(function (name) { return !box(name).value || item.dataset[name] === box(name).value; });
      count += !item.hidden;
      list.append(item);
    });
    found.textContent = count + (count === 1 ? " claim" : " claims");
    var state = names.filter(function (n) { return box(n).value; }).map(function (n) { return n + "=" + encodeURIComponent(box(n).value); });
    if (rank) state.push("words=" + encodeURIComponent(search.value));
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
