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
      }
      // Comes behind style, layout and paint of this frame.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => found.works.push(performance.now() - began);
      channel.port2.postMessage(0);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    if (this.heard) return;
    this.heard = true;
    addEventListener("keydown", (event) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => this.found?.inputs.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(0);
    }), { capture: true });
  },
  end() {
    const { found } = this;
    this.found = undefined;
    return found;
  },
  // How long it takes from `act` to the first frame behind which `shows` holds, in ms: in `took`, once it is known.
  time(act, shows) {
    this.took = null;
    const began = performance.now();
    act();
    const look = () => {
      if (!shows()) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { this.took = performance.now() - began; };
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  },
};

function isBlank(list) {
  const { left, top, width, height } = list.getBoundingClientRect();
  return [0.15, 0.4, 0.65, 0.9].some((part) => {
    const row = document.elementFromPoint(left + width / 2, top + height * part)?.closest("[role=row], [role=option], [aria-hidden=true]");
    return !row || row.textContent === "";
  });
}
