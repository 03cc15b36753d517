// What the page itself can tell of its frames. Each frame first looks at what the last one painted, and then scrolls on.
window.frames = {
  begin(scrolls) {
    const list = document.querySelector("[role=grid], [role=listbox]:not([aria-label=Suggestions])");
    const found = (this.found = { lengths: [], works: [], blank: 0, inputs: [] });
    let last, down = true;
    const frame = () => {
      const began = performance.now();
      if (this.found !== found) return;
      if (last !== undefined) found.lengths.push(began - last);
      last = began;
      if (isBlank(list)) found.blank += 1;
      if (scrolls) {
        const most = list.scrollHeight - list.clientHeight;
        if (list.scrollTop >= most) down = false;
        if (list.scrollTop <= 0) down = true;
        list.scrollTop += down ? 40 : -40;
        // The list draws anew at this, as at an event of the window's own; asking for a height has it styled and laid out.
        list.dispatchEvent(new Event("scroll"));
        void list.scrollHeight;
        found.works.push(performance.now() - began);
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    if (this.waits) return;
    this.waits = true;
    addEventListener("keydown", (event) => {
      requestAnimationFrame(() => painted(() => this.found?.inputs.push(performance.now() - event.timeStamp)));
    }, { capture: true });
  },
  end() {
    const { found } = this;
    this.found = undefined;
    return found;
  },
  // How long it takes from `act` to the first frame behind which `shows` holds, in ms: in `took`, once it is known. `answered` is
  // when the last list had come by then.
  time(act, shows) {
    this.took = null;
    const began = (this.acted = performance.now());
    this.asked = this.answered = 0;
    act();
    const look = () => {
      if (!shows()) return requestAnimationFrame(look);
      const { asked, answered } = this;
      painted(() => { this.took = { asked, answered, painted: performance.now() - began }; });
    };
    requestAnimationFrame(look);
  },
  // Looks in each frame for rows with the moment of an answer (µs since the epoch) that nothing showed before.
  listen() {
    const seen = new Set();
    let first = true;
    this.ages = [];
    const frame = () => {
      const { ages } = this;
      if (ages === undefined) return;
      const now = [...document.querySelectorAll("[role=row]")].flatMap((row) => row.textContent.match(/(?<!\d)\d{16}(?!\d)/) ?? []);
      const fresh = now.filter((moment) => !seen.has(moment));
      fresh.forEach((moment) => seen.add(moment));
      if (!first) painted(() => ages.push(...fresh.map((moment) => Date.now() - Number(moment) / 1000)));
      first = false;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  },
  // How old what they found was once it was painted, in ms.
  heard() {
    const { ages } = this;
    this.ages = undefined;
    return ages;
  },
};

const { fetch } = window;
window.fetch = async (...asked) => {
  const isList = String(asked[1]?.body).includes('"view":{"type":"tasks"');
  if (isList) window.frames.asked ||= performance.now() - window.frames.acted;
  const answer = await fetch(...asked);
  if (isList) window.frames.answered = performance.now() - window.frames.acted;
  return answer;
};

// Does it behind style, layout and paint of this frame. A message channel would tell later: its messages go through another process.
function painted(then) {
  setTimeout(then);
}

function isBlank(list) {
  const { left, top, width, height } = list.getBoundingClientRect();
  return [0.15, 0.4, 0.65, 0.9].some((part) => {
    const row = document.elementFromPoint(left + width / 2, top + height * part)?.closest("[role=row], [role=option], [aria-hidden=true]");
    return !row || row.textContent === "";
  });
}
