// What does not hold in what is shown: something is wider than its room, has too little to be read in, is cut off without a sign of
// that, lies on its neighbour, ran, or is none of our elements.
const top = document.querySelector("[role=dialog]") ?? document.body;
// Two lines, in px.
const LOW = 48;
const style = (element) => getComputedStyle(element);
const name = (element) => `${element.localName}.${element.className}`;
const within = (element, upTo = []) => (element ? within(element.parentElement, [...upTo, element]) : upTo);

const boxes = [...top.querySelectorAll("*")].filter((element) => element.checkVisibility() && !element.matches("input, textarea, select, svg, svg *, .unseen, .unseen *"));
const wide = boxes
  .filter((element) => ["auto", "scroll"].includes(style(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
  .map((element) => `${name(element)}: ${element.scrollWidth} in ${element.clientWidth}`);
const low = boxes
  .filter((element) => ["auto", "scroll"].includes(style(element).overflowY) && element.clientHeight < Math.min(LOW, element.scrollHeight))
  .map((element) => `${name(element)} shows ${element.clientHeight} of ${element.scrollHeight}`);
const cut = boxes
  .filter((element) => ["hidden", "clip"].includes(style(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => style(element).textOverflow !== "ellipsis" && style(element).webkitLineClamp === "none")
  .map((element) => `${name(element)} cuts off: ${element.scrollWidth} in ${element.clientWidth}`);

// The middle of each line of text: lines may touch, since a letter of another script is higher than its line. What is fixed or sticks
// lies over the rest on purpose.
const seen = (element) =>
  within(element)
    .filter((outer) => style(outer).overflowX !== "visible" || style(outer).overflowY !== "visible")
    .map((outer) => outer.getBoundingClientRect())
    .reduce(meet, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
function meet(a, b) {
  return { left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) };
}
const layer = (element) => within(element).find((outer) => ["fixed", "sticky"].includes(style(outer).position));
const lines = [];
const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { currentNode: text } = texts;
  const element = text.parentElement;
  if (text.data.trim() === "" || !element.checkVisibility() || element.closest("select, textarea, svg, .unseen")) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  const room = seen(element);
  const shared = { text, layer: layer(element), said: text.data.trim().slice(0, 20) };
  for (const { left, top, right, bottom, height } of range.getClientRects()) {
    const box = meet(room, { left: left + 1, top: top + height / 3, right: right - 1, bottom: bottom - height / 3 });
    if (box.right - box.left > 1 && box.bottom - box.top > 1) lines.push({ ...box, ...shared });
  }
}
lines.sort((a, b) => a.top - b.top);
const over = [];
lines.forEach((line, at) => {
  for (let next = at + 1; next < lines.length && lines[next].top < line.bottom - 1; next += 1) {
    const other = lines[next];
    const meets = Math.min(line.right, other.right) - Math.max(line.left, other.left) > 1;
    if (meets && other.text !== line.text && other.layer === line.layer) over.push(`${JSON.stringify(line.said)} lies on ${JSON.stringify(other.said)}`);
  }
});

const page = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
const foreign = [...document.body.querySelectorAll("script:not([src]), img, iframe, a, style, object, embed, base, meta, link")];
const ran = [window.hostile, document.title === "Signalbox" ? undefined : document.title];
return [...wide, ...low, ...cut, ...over.slice(0, 5), ...page, ...foreign.map((element) => element.outerHTML), ...ran.filter((what) => what !== undefined)];
