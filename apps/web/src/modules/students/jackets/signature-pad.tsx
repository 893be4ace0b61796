import { Button, Input, Stack } from '@mantine/core'
import { type PointerEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { signatureArea } from '#domain/students/jackets/jackets.ts'
import classes from './jackets.module.css'

type Props = {
  /** SVG path in units of `signatureArea`; null while nothing is drawn. */
  value: string | null
  onChange: (path: string | null) => void
  error?: string | undefined
  wrapperProps?: Record<`data-${string}`, string>
}

/** Longest path the server accepts. */
const longestPath = 20_000

/** Drawing area for a signature by finger, pen or mouse. */
export function SignaturePad({ value, onChange, error, wrapperProps }: Props) {
  const { t } = useTranslation('jackets')
  const id = useId()
  const path = useRef(value ?? '')
  path.current = value ?? ''

  function draw(event: PointerEvent<SVGSVGElement>, command: 'M' | 'L') {
    const box = event.currentTarget.getBoundingClientRect()
    const within = (at: number, size: number, units: number) =>
      Math.round(Math.min(1, Math.max(0, at / size)) * (units - 1))
    const x = within(event.clientX - box.left, box.width, signatureArea.width)
    const y = within(event.clientY - box.top, box.height, signatureArea.height)
    const step = `${command}${x} ${y}`
    if (path.current.endsWith(step) || path.current.length + step.length > longestPath) return
    path.current += step
    onChange(path.current)
  }

  return (
    <Input.Wrapper
      label={t('signature.label')}
      description={t('signature.hint')}
      error={error}
      labelElement="div"
      labelProps={{ id }}
      {...wrapperProps}
    >
      <Stack gap="xs" align="flex-start" mt={4}>
        <svg
          className={classes.pad}
          viewBox={`0 0 ${signatureArea.width} ${signatureArea.height}`}
          role="img"
          aria-labelledby={id}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            draw(event, 'M')
          }}
          onPointerMove={(event) => event.buttons > 0 && draw(event, 'L')}
        >
          <path
            d={value ?? ''}
            fill="none"
            stroke="currentColor"
            strokeWidth={3}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
        </svg>
        <Button variant="default" size="xs" disabled={!value} onClick={() => onChange(null)}>
          {t('signature.clear')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
