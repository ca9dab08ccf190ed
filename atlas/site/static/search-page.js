// the page of results: the query and the kind live in the address
(function () {
  var SHOWN = 60;
  var form = document.getElementById("search"), field = document.getElementById("query"), kind = document.getElementById("kind");
  var list = document.getElementById("results"), found = document.getElementById("found");
  var asked = new URLSearchParams(location.search);
  field.value = asked.get("q") || "";
  kind.value = asked.get("kind") || "";
  function element(name, text, kind) {
    var made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }
  function show() {
    var records = Search.find(field.value).filter(function (r) { return !kind.value || r.kind === kind.value; });
    list.replaceChildren.apply(list, records.slice(0, SHOWN).map(function (r) {
      var item = document.createElement("li"), link = element("a", r.title);
      link.href = r.page;
      item.append(link, " ", element("small", Search.kinds[r.kind], "kind"));
      if (r.note) item.append(document.createElement("br"), element("small", r.note.length > 200 ? r.note.slice(0, 200) + "…" : r.note));
      return item;
    }));
    found.textContent = !field.value.trim() ? "" : records.length === 0 ? "Nothing found." : records.length === 1 ? "1 result" : records.length > SHOWN ? records.length + " results, the best " + SHOWN + " shown" : records.length + " results";
    var query = new URLSearchParams();
    if (field.value) query.set("q", field.value);
    if (kind.value) query.set("kind", kind.value);
    try { history.replaceState(null, "", location.pathname + (query.toString() ? "?" + query : "")); } catch (e) { /* some browsers refuse this to a file */ }
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", function (event) { event.preventDefault(); show(); });
  show();
})();
