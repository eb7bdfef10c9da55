// What asks for and shows an explanation, as a bundle of its own, which is loaded when somebody wants one.
export { chooseCall } from "./explainChoice.js";
export { explanationPage } from "./explanationPage.js";
