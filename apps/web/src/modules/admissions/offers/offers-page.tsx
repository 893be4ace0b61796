import { useTranslation } from 'react-i18next'
import { listOffers, type OfferRow } from '#domain/admissions/lists.ts'
import { extendOffer, remindOffers } from '#domain/admissions/offer-endpoints.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { LetterButton } from '#web/modules/admissions/registration/letter-button.tsx'
import { InstallmentPlanPicker } from '#web/modules/payments/bills/installment-plan-picker.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { ConfirmDialog, DeadlineDialog, DeclineDialog, RemindOffersDialog } from './offer-dialogs.tsx'

/** Accepted applicants with deadline, answer and whether they have seen the result. */
export default function OffersPage() {
  const { t } = useTranslation('offers')
  const { may } = useSession()
  const isOpen = ({ answer }: OfferRow) => answer === 'open'
  const isLate = ({ dueAt }: OfferRow) => dueAt !== null && new Date(dueAt) <= new Date()
  const right = extendOffer.access
  const actions: RowAction<OfferRow>[] = [
    {
      key: 'remind',
      label: t('act.remind'),
      right: remindOffers.access,
      many: true,
      suits: isOpen,
      dialog: (rows, ends) => <RemindOffersDialog rows={rows} {...ends} />,
    },
    {
      key: 'confirm',
      label: t('act.confirm'),
      right,
      main: true,
      suits: isOpen,
      refusal: (row) => (isLate(row) ? t('late') : null),
      dialog: ([row], ends) =>
        row && <ConfirmDialog offer={row} planPicker={(picker) => <InstallmentPlanPicker {...picker} />} {...ends} />,
    },
    {
      key: 'extend',
      label: t('act.extend'),
      right,
      suits: isOpen,
      dialog: ([row], ends) => row && <DeadlineDialog act="extend" offer={row} {...ends} />,
    },
    {
      key: 'reopen',
      label: t('act.reopen'),
      right,
      main: true,
      suits: ({ answer }) => answer === 'expired',
      dialog: ([row], ends) => row && <DeadlineDialog act="reopen" offer={row} {...ends} />,
    },
    {
      key: 'decline',
      label: t('act.decline'),
      right,
      danger: true,
      suits: isOpen,
      dialog: ([row], ends) => row && <DeclineDialog offer={row} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listOffers}
      title={useScreenTitle()}
      searchLabel={t('search')}
      rowTitle={({ name, code }) => `${name} · ${code}`}
      href={({ id }) => (may('pendaftaran-view') ? `/pendaftaran/${id}` : undefined)}
      rowActions={actions}
      preview={(row) => (
        <>
          <Facts
            facts={[
              [t('column.programme'), `${row.programme ?? '—'} · ${row.classProgramme}`],
              [t('column.track'), `${row.track} · ${row.wave}`],
              [t('column.answer'), t(`answer.${row.answer}`)],
              [t('column.dueAt'), row.dueAt ? <DateText key="due" value={row.dueAt} as="datetime" /> : t('noDeadline')],
              [
                t('column.seenAt'),
                row.seenAt ? <DateText key="seen" value={row.seenAt} as="datetime" /> : t('notSeen'),
              ],
              [t('column.remindedAt'), row.remindedAt && <DateText key="told" value={row.remindedAt} as="datetime" />],
              [t('column.reserveRank'), row.reserveRank],
            ]}
          />
          {(row.answer === 'open' || row.answer === 'confirmed') && <LetterButton registration={row} />}
        </>
      )}
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
