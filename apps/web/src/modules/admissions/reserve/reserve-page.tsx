import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listReservePlaces, type ReservePlaceRow } from '#domain/admissions/lists.ts'
import { closeReserveList, offerReservePlace, skipReservePlace } from '#domain/admissions/offer-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'

/**
 * Reserve lists by study programme and class, and by track if places are divided; vacated places are offered to the
 * next candidate automatically.
 */
export default function ReservePage() {
  const { t } = useTranslation('offers')
  const { may } = useSession()
  const isWaiting = ({ status }: ReservePlaceRow) => status === 'waiting'
  const right = offerReservePlace.access
  const actions: RowAction<ReservePlaceRow>[] = [
    {
      key: 'offer',
      label: t('reserve.act.offer'),
      right,
      main: true,
      suits: isWaiting,
      refusal: ({ placesFree }) => (placesFree > 0 ? null : t('reserve.noPlace')),
      dialog: ([row], ends) => row && <OfferDialog place={row} {...ends} />,
    },
    {
      key: 'skip',
      label: t('reserve.act.skip'),
      right,
      suits: isWaiting,
      dialog: ([row], ends) => row && <EndDialog act="skip" place={row} {...ends} />,
    },
    {
      key: 'close',
      label: t('reserve.act.close'),
      right,
      danger: true,
      suits: isWaiting,
      dialog: ([row], ends) => row && <EndDialog act="close" place={row} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listReservePlaces}
      title={useScreenTitle()}
      searchLabel={t('search')}
      lead={<Text c="dimmed">{t('reserve.lead')}</Text>}
      rowTitle={({ rank, name }) => `${rank}. ${name}`}
      href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
      rowActions={actions}
      preview
      empty={{ title: t('reserve.empty'), text: t('reserve.emptyText') }}
    />
  )
}

type Props = { place: ReservePlaceRow } & DialogEnds

function OfferDialog({ place, onDone, onClose }: Props) {
  const { t } = useTranslation('offers')
  const form = useForm({
    call: offerReservePlace,
    params: { id: place.id },
    body: {},
    done: t('reserve.done.offer', { name: place.name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={`${t('reserve.act.offer')}: ${place.name}`}
      submit={t('reserve.act.offer')}
      onClose={onClose}
    >
      <Text>{t('reserve.offerText', { programme: place.programme, rank: place.rank })}</Text>
    </DialogForm>
  )
}

const calls = { skip: skipReservePlace, close: closeReserveList }

function EndDialog({ act, place, ...ends }: Props & { act: keyof typeof calls }) {
  const { t } = useTranslation('offers')
  const list = [place.programme, place.classProgramme, place.listTrack].filter(Boolean).join(' · ')
  return (
    <ReasonDialog
      call={calls[act]}
      params={{ id: place.id }}
      title={`${t(`reserve.act.${act}`)}: ${act === 'skip' ? place.name : list}`}
      submit={t(`reserve.act.${act}`)}
      danger={act === 'close'}
      label={t('reason')}
      description={t('reasonHelp')}
      done={t(`reserve.done.${act}`, { name: place.name })}
      {...ends}
    >
      <Text>{t(`reserve.${act}Text`, { list })}</Text>
    </ReasonDialog>
  )
}
