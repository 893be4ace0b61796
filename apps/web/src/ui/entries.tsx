import type { ReactNode } from 'react'
import classes from './entries.module.css'

/** A list of records in a card, such as payments. */
export const Entries = ({ children }: { children: ReactNode }) => <ul className={classes.entries}>{children}</ul>

type Props = {
  /** What the record is. */
  title: ReactNode
  /** Its amount or state, at the end of the first line. */
  end: ReactNode
  /** Small text below the title. */
  details?: ReactNode
  /** Beside the details: a button, or a second value. */
  detailsEnd?: ReactNode
  current?: boolean
}

/** A record of `Entries`: two lines, whose ends are below them on a narrow phone. */
export const Entry = ({ title, end, details, detailsEnd, current }: Props) => (
  <li className={classes.entry} aria-current={current ? 'true' : undefined}>
    <div>{title}</div>
    <div className={classes.end}>{end}</div>
    {details && <div className={classes.details}>{details}</div>}
    {detailsEnd && <div className={classes.end}>{detailsEnd}</div>}
  </li>
)
