import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rupiah, weekdayDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './tuition.module.css'

type Props = { parts: readonly { position: number; amount: number; dueAt: Date | string }[]; maw?: number }

/** Due date and amount of each instalment. */
export function Instalments({ parts, maw }: Props) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
  return (
    <Table
      className={classes.amounts}
      maw={maw}
      data={{
        head: [t('applicant.due'), t('applicant.instalment')],
        body: parts.map(({ position, amount, dueAt }) => [
          `${position}. ${weekdayDate(dueAt, language)}`,
          rupiah(amount),
        ]),
      }}
    />
  )
}
