// a button above each proof that folds out all of its goals, or none
document.querySelectorAll("details.script").forEach(function (proof) {
  var steps = proof.querySelectorAll("details.step"), button = document.createElement("button"), open = true;
  if (!steps.length) return;
  button.type = "button";
  button.className = "goals";
  button.textContent = "Show all goals";
  button.addEventListener("click", function () {
    steps.forEach(function (step) { step.open = open; });
    open = !open;
    button.textContent = open ? "Show all goals" : "Hide all goals";
  });
  proof.querySelector("summary").after(button);
});
