import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { FigureKind } from '#domain/reports/report.ts'
import { changeText, figureText, lineName } from './figure-text.ts'
import classes from './report.module.css'

/** `opens`: whether there are rows behind it. */
export type Figure = { key: string; label: string; kind: FigureKind; opens: boolean }
/** `before` opens the earlier year's rows. */
export type OpenCell = (figure: Figure, line: ReportLine, moment?: 'before') => void

type Props = {
  figure: Figure
  line: ReportLine
  onOpen: OpenCell
  /** Keeps the surrounding text colour, for cells with a background colour. */
  plain?: boolean
}

/** One figure with its earlier year's value, and a button to the rows it counts. */
export function FigureCell({ figure, line, onOpen, plain }: Props) {
  const { t } = useTranslation('reports')
  const value = line.values[figure.key]
  const valueBefore = line.before?.[figure.key]
  const text = figureText(value, figure.kind, t)
  const change = figure.kind === 'share' ? undefined : changeText(value, valueBefore)
  return (
    <>
      {value && figure.opens ? (
        <Anchor
          component="button"
          type="button"
          inherit
          underline={plain ? 'always' : 'hover'}
          c={plain ? 'inherit' : undefined}
          aria-label={t('openRows', { figure: figure.label, line: lineName(line, t), value: text })}
          onClick={() => onOpen(figure, line)}
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
      {line.before && valueBefore !== undefined && (
        <span className={classes.before}>
          {valueBefore && figure.opens ? (
            <Anchor
              component="button"
              type="button"
              inherit
              underline="hover"
              c="inherit"
              aria-label={t('openRows', {
                figure: t('beforeColumn', { figure: figure.label }),
                line: lineName(line, t),
                value: figureText(valueBefore, figure.kind, t),
              })}
              onClick={() => onOpen(figure, line, 'before')}
            >
              {figureText(valueBefore, figure.kind, t)}
            </Anchor>
          ) : (
            figureText(valueBefore, figure.kind, t)
          )}
          {change && ` (${change})`}
        </span>
      )}
    </>
  )
}
