import { count } from "../format/size";
import { t } from "../strings";
import type { Offer } from "../types";
import { ServerWord } from "./ServerText";
import css from "./TokenField.module.css";

interface Props {
  /** Of the field, which names the list, the option that is chosen and the fault by it. */
  id: string;
  offers: readonly Offer[];
  /** The number of the one that Enter takes; -1 for none. */
  chosen: number;
  onTake: (offer: Offer) => void;
  /** Why what is typed cannot be read. */
  fault: string | undefined;
}

/** What may be meant by what is typed into a field, and why it cannot be read: below the field, over the list. */
export function TokenOffers({ id, offers, chosen, onTake, fault }: Props) {
  return (
    <div className={css.below}>
      <div id={`${id}-offers`} role="listbox" aria-label={t.filter.offers} className={css.offers} hidden={offers.length === 0}>
        {offers.map((offer, index) => (
          // The keyboard stays in the field, which names the option it means.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={offer.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={css.offer}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(offer)}
          >
            <ServerWord text={offer.text} />
            <span className={css.count}>{count(offer.count)}</span>
          </div>
        ))}
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} role="status" className={css.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}
