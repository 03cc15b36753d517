import type { CloseChoice, Host } from "../../host/host";
import { external } from "../../store/external";

/** Whether the window is on its way out, as its person wanted: that nobody answers it then is no trouble. */
export const leaving = external({ isUnderWay: false });

/** Closes the window. Where that fails it is open as before. */
export async function leave(host: Host, how: CloseChoice): Promise<void> {
  leaving.set({ isUnderWay: true });
  try {
    await host.closeWindow(how);
  } catch (thrown) {
    leaving.set({ isUnderWay: false });
    throw thrown;
  }
}
