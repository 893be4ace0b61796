import classes from './status-dot.module.css'

/** waiting grey, progress blue, done green, attention amber (needs you), stopped red: the same five everywhere. */
export type Tone = 'waiting' | 'progress' | 'done' | 'attention' | 'stopped'

/** A dot and a word; the colour only repeats what the word says. */
export const StatusDot = ({ tone, label }: { tone: Tone; label: string }) => (
  <span className={classes.status} data-tone={tone}>
    <span className={classes.dot} aria-hidden="true" />
    {label}
  </span>
)
