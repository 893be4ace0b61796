import { type CSSProperties, useEffect, useState } from 'react'

/** Longest time between the taps of a double tap. */
const doubleTapMs = 500

/**
 * Style for a step's buttons: they ignore taps right after the step appears, so the second tap of a double tap does not
 * press a button of the next step.
 */
export function useDoubleTapGuard(step: string): CSSProperties | undefined {
  const [settledStep, setSettledStep] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettledStep(step), doubleTapMs)
    return () => clearTimeout(timer)
  }, [step])
  return settledStep === step ? undefined : { pointerEvents: 'none' }
}
