import type { CSSProperties, ReactNode } from 'react'
import classes from './sticky-bar.module.css'

type Props = {
  /** Makes the bar a landmark region of the page. */
  label?: string
  style?: CSSProperties | undefined
  children: ReactNode
}

/** Stays at the bottom of the screen, above the phone's menu: what has changed, and the buttons that save it. */
export const StickyBar = ({ label, style, children }: Props) => (
  <div className={classes.bar} style={style} {...(label && { role: 'region', 'aria-label': label })}>
    {children}
  </div>
)
