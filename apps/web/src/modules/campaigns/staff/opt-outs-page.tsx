import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { liftOptOut, noteOptOut } from '#domain/campaigns/address-endpoints.ts'
import { type MarketingPurpose, marketingPurposes } from '#domain/campaigns/campaigns.ts'
import { listOptOuts, type OptOutRow } from '#domain/campaigns/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** List of opt-outs, where staff may record an opt-out and lift one. */
export default function OptOutsPage() {
  const { t } = useTranslation('send')
  const [isNoting, setNoting] = useState(false)
  const lift: RowAction<OptOutRow> = {
    key: 'lift',
    label: t('optOuts.lift'),
    suits: ({ liftedAt }) => liftedAt === null,
    dialog: ([row], ends) => row && <LiftDialog row={row} {...ends} />,
  }
  return (
    <>
      <DataList
        list={listOptOuts}
        title={useScreenTitle()}
        lead={t('optOuts.lead')}
        searchLabel={t('optOuts.search')}
        rowTitle={({ address }) => address}
        dimmed={({ liftedAt }) => liftedAt !== null}
        preview
        rowActions={[lift]}
        actions={<Button onClick={() => setNoting(true)}>{t('optOuts.note')}</Button>}
        empty={{ title: t('optOuts.empty'), text: t('optOuts.emptyText') }}
      />
      {isNoting && <NoteDialog onClose={() => setNoting(false)} />}
    </>
  )
}

function NoteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const form = useForm({
    call: noteOptOut,
    start: { address: '', purpose: null as MarketingPurpose | null, note: '' },
    body: ({ address, purpose, note }) => ({ address: address.trim(), purpose, note: note.trim() }),
    done: t('optOuts.noted'),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('optOuts.noteTitle')} submit={t('optOuts.noteSave')} onClose={onClose}>
      <TextInput
        label={t('optOuts.address')}
        description={t('optOuts.addressHelp')}
        data-autofocus
        {...form.text('address')}
      />
      <Radio.Group label={t('optOuts.purpose')} {...form.value('purpose')}>
        <Stack gap="xs" mt="xs">
          {marketingPurposes.map((value) => (
            <Radio key={value} value={value} label={t(`campaigns:purpose.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <ReasonInput label={t('optOuts.said')} description={t('optOuts.saidHelp')} {...form.text('note')} />
    </DialogForm>
  )
}

function LiftDialog({ row: { id, address, purpose, version }, onDone, onClose }: { row: OptOutRow } & DialogEnds) {
  const { t } = useTranslation(['send', 'campaigns'])
  const form = useForm({
    call: liftOptOut,
    params: { id },
    start: { note: '' },
    body: ({ note }) => ({ version, note: note.trim() }),
    done: t('optOuts.lifted'),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={t('optOuts.liftTitle', { address })}
      submit={t('optOuts.liftSave')}
      onClose={onClose}
    >
      <Text>{t('optOuts.liftText', { purpose: t(`campaigns:purpose.${purpose}`) })}</Text>
      <ReasonInput
        label={t('optOuts.liftSaid')}
        description={t('optOuts.liftSaidHelp')}
        data-autofocus
        {...form.text('note')}
      />
    </DialogForm>
  )
}
