// Has axe look at the page in all its colours. Nothing is fetched for it: the page may fetch nothing.
window.faults = null;
const { dataset } = document.documentElement;
const COLOURS = [["light"], ["light", "more"], ["dark"], ["dark", "more"]];
// What is not about colours is the same in all of them.
const OF_COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

const wear = async (theme, contrast) => {
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  if (contrast) dataset.contrast = contrast;
  else delete dataset.contrast;
  // Half-way from one colour to the other there is no contrast.
  const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(changing.map(({ finished }) => finished));
};

const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
const find = async (rules) => (await axe.run(document, { preload: false, resultTypes: ["violations"], ...rules })).violations;

// Of what is out of sight axe tells no colours: whatever scrolls is seen from its beginning to its end.
const findAll = async (rules) => {
  const top = document.querySelector("[role=dialog]") ?? document.body;
  const moved = [...top.querySelectorAll("*")]
    .filter((element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1)
    .map((element) => [element, element.scrollTop]);
  const pages = Math.max(1, ...moved.map(([{ scrollHeight, clientHeight }]) => Math.ceil(scrollHeight / clientHeight)));
  const found = [];
  for (let page = 0; page < pages; page += 1) {
    for (const [element] of moved) element.scrollTop = page * element.clientHeight;
    await frame();
    await frame();
    found.push(...(await find(page === 0 ? rules : OF_COLOURS)));
  }
  for (const [element, before] of moved) element.scrollTop = before;
  return found;
};

const look = async () => {
  const worn = [dataset.theme, dataset.contrast];
  const found = [];
  for (const colours of COLOURS) {
    await wear(...colours);
    for (const { id, nodes } of await findAll(colours === COLOURS[0] ? {} : OF_COLOURS))
      for (const { html, failureSummary } of nodes) found.push(`${colours.join(", ")}: ${id}: ${html.slice(0, 200)}; ${failureSummary}`);
  }
  await wear(...worn);
  return found;
};

look().then(
  (found) => { window.faults = found },
  (error) => { window.faults = [String(error)] },
);
