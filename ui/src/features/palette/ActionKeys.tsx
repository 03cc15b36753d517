import { useKeys } from "../../actions/chosen";
import type { ActionId } from "../../actions/table";
import { Kbd } from "../../components/Kbd";

/** The keys of an action that are in force. */
export function ActionKeys({ id }: { id: ActionId }) {
  const [keys] = useKeys(id);
  return keys === undefined ? null : <Kbd keys={keys} />;
}
