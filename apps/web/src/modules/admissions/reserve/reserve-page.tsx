import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listReservePlaces, type ReservePlaceRow } from '#domain/admissions/lists.ts'
import { closeReserveList, offerReservePlace, skipReservePlace } from '#domain/admissions/offer-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Reserve lists by study programme and class, and by track where places are divided; vacated places are offered to the next by themselves. */
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

function EndDialog({ act, place, onDone, onClose }: Props & { act: keyof typeof calls }) {
  const { t } = useTranslation('offers')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: calls[act] as typeof skipReservePlace,
    params: { id: place.id },
    body: { reason: reason.trim() },
    done: t(`reserve.done.${act}`, { name: place.name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const list = [place.programme, place.classProgramme, place.listTrack].filter(Boolean).join(' · ')
  return (
    <DialogForm
      form={form}
      title={`${t(`reserve.act.${act}`)}: ${act === 'skip' ? place.name : list}`}
      submit={t(`reserve.act.${act}`)}
      {...(act === 'close' && { button: { color: 'red.9' } })}
      onClose={onClose}
    >
      <Text>{t(`reserve.${act}Text`, { list })}</Text>
      <ReasonInput
        label={t('reason')}
        description={t('reasonHelp')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
