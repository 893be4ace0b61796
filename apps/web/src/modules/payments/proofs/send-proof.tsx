import { Button, Input, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { universityCalendar } from '#domain/calendar.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import {
  listOwnProofs,
  sendTransferProof,
  type TransferProof,
  uploadTransferProof,
} from '#domain/payments/proofs/endpoints.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { useForm } from '#web/api/use-form.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { proofTone } from './tones.ts'

const pollMs = 30_000

/** Lets the applicant send a picture of a transfer that does not appear, and shows what became of those sent. */
export function SendProof({ bill }: { bill: BillView }) {
  const { t } = useTranslation('transfer-proofs')
  const { may } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const { data, error, refetch } = useEndpoint(
    listOwnProofs,
    { params: { id: bill.registrationId } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.data.proofs.some((proof) => proof.state === 'open') ? pollMs : false,
    },
  )
  const owed = isOwed(bill.status)
  if (!data) return owed && <Missing error={error} onRetry={refetch} />
  const proofs = data.data.proofs.filter(({ billId }) => billId === bill.id)
  const maySend = owed && may('pendaftaran-edit')
  if (!maySend && proofs.length === 0) return null
  return (
    <Card title={t(proofs.length > 0 ? 'own' : 'ask')}>
      <Stack gap="md">
        {proofs.map((proof) => (
          <SentProof key={proof.id} proof={proof} hours={data.data.answerHours} isQuiet={!owed} />
        ))}
        {maySend &&
          (isOpen ? (
            <ProofForm bill={bill} onClose={() => setIsOpen(false)} />
          ) : (
            <>
              {proofs.length === 0 && <Text>{t('askText')}</Text>}
              <Button
                variant="default"
                classNames={{ root: classes.action, label: classes.actionLabel }}
                onClick={() => setIsOpen(true)}
              >
                {t('open')}
              </Button>
            </>
          ))}
      </Stack>
    </Card>
  )
}

/** One proof; on a bill that is paid, an open one only says when it was sent until it is opened. */
function SentProof({ proof, hours, isQuiet }: { proof: TransferProof; hours: number; isQuiet: boolean }) {
  const { t } = useTranslation('transfer-proofs')
  const { language } = useSurroundings()
  const { state, amount, fromBank, paidAt, sentAt, reason, returnedBecause, returnedAt } = proof
  const sent = t('sentAt', { time: dateTime(sentAt, language) })
  const isCollapsed = isQuiet && state === 'open'
  const details = (
    <div>
      <StatusDot tone={proofTone[state]} label={t(`state.${state}`)} />
      <Text>{t('about', { amount: rupiah(amount), bank: fromBank, time: dateTime(paidAt, language) })}</Text>
      <Text size="sm">
        {state === 'open' && returnedBecause && returnedAt
          ? t('again', { reason: t(`returned.${returnedBecause}`), time: dateTime(returnedAt, language) })
          : state === 'open' && t('hours', { count: hours })}
        {state === 'matched' && t('found')}
        {state === 'refused' && t('refusedFor', { reason })}
      </Text>
      {!isCollapsed && (
        <Text size="sm" c="dimmed">
          {sent}
        </Text>
      )}
    </div>
  )
  if (!isCollapsed) return details
  return (
    <details className={classes.later}>
      <summary>{sent}</summary>
      {details}
    </details>
  )
}

/** Current minute as a `datetime-local` field writes it. */
const thisMinute = () => universityCalendar().wallTime(new Date()).slice(0, 16).replace(' ', 'T')

type Sent = { id: string; name: string }

function ProofForm({ bill, onClose }: { bill: BillView; onClose: () => void }) {
  const { t } = useTranslation(['transfer-proofs', 'common'])
  const form = useForm({
    call: sendTransferProof,
    params: { id: bill.id },
    start: () => ({
      file: null as Sent | null,
      amount: bill.next?.amount ?? 0,
      paidAt: thisMinute(),
      fromBank: '',
      note: '',
    }),
    body: ({ file, paidAt, note, ...values }) => ({
      ...values,
      fileId: file?.id ?? '',
      paidAt: paidAt
        ? universityCalendar()
            .momentOf(`${paidAt.replace('T', ' ')}:00`)
            .toISOString()
        : '',
      ...(note.trim() && { note: note.trim() }),
    }),
    done: t('sent'),
    onDone: onClose,
  })
  const { error } = form.field('fileId')
  return (
    <PageForm
      form={form}
      submit={t('send')}
      beside={
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      }
    >
      <div>
        <FileDrop
          label={t('file')}
          accept={['image/jpeg', 'image/png', 'application/pdf']}
          maxBytes={5_000_000}
          camera="environment"
          current={form.values.file}
          onSend={async (file, onProgress, signal) => {
            const body = new FormData()
            body.append('file', file)
            const { data } = await upload<{ data: Sent }>(uploadTransferProof.path, body, onProgress, { signal })
            form.set({ file: data })
          }}
        />
        {error && (
          <Input.Error role="alert" mt={4}>
            {error}
          </Input.Error>
        )}
      </div>
      <MoneyInput label={t('amount')} {...form.value('amount')} />
      <TextInput type="datetime-local" label={t('when')} max={thisMinute()} {...form.text('paidAt')} />
      <TextInput label={t('fromBank')} description={t('fromBankHelp')} autoComplete="off" {...form.text('fromBank')} />
      <Textarea label={t('note')} description={t('noteHelp')} autosize minRows={2} {...form.text('note')} />
    </PageForm>
  )
}
