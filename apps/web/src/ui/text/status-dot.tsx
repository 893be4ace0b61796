import classes from './status-dot.module.css'

/** waiting grey, progress blue, done green, attention amber (the user must act), stopped red. */
export type Tone = 'waiting' | 'progress' | 'done' | 'attention' | 'stopped'

/** A dot and a word; the colour only repeats the word. */
export const StatusDot = ({ tone, label }: { tone: Tone; label: string }) => (
  <span className={classes.status} data-tone={tone}>
    <span className={classes.dot} aria-hidden="true" />
    {label}
  </span>
)
