import { Button, Checkbox, Group, Input, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listDocuments } from '#domain/documents/endpoints.ts'
import { type PaperReceipt, printPapers, receivePapers, voidPapers } from '#domain/students/files/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { Card } from '#web/ui/card.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { registrationId: string; name: string; receipts: readonly PaperReceipt[] }

/** Receipts for paper copies, each to print again or void. */
export function PapersCard({ registrationId, name, receipts }: Props) {
  const { t } = useTranslation('student-files')
  const [isReceiving, setReceiving] = useState(false)
  const [voided, setVoided] = useState<PaperReceipt | null>(null)
  return (
    <Card
      title={t('papers.title')}
      actions={
        <Button size="xs" variant="default" onClick={() => setReceiving(true)}>
          {t('papers.receive')}
        </Button>
      }
    >
      <Stack gap="md">
        {receipts.length === 0 && <Text c="dimmed">{t('papers.none')}</Text>}
        {receipts.map((receipt) => (
          <Receipt key={receipt.id} receipt={receipt} onVoid={() => setVoided(receipt)} />
        ))}
      </Stack>
      {isReceiving && <ReceiveDialog {...{ registrationId, name }} onClose={() => setReceiving(false)} />}
      {voided && <VoidDialog receipt={voided} onClose={() => setVoided(null)} />}
    </Card>
  )
}

/** Downloads a receipt in the reader's language. */
function usePrint() {
  const { language } = useSurroundings()
  const { start, busy } = useDownload()
  const print = ({ id, number }: Pick<PaperReceipt, 'id' | 'number'>) =>
    start(pathOf(printPapers.path, { receiptId: id }), `${number}.pdf`, { language })
  return { print, busy }
}

function Receipt({ receipt, onVoid }: { receipt: PaperReceipt; onVoid: () => void }) {
  const { t } = useTranslation('student-files')
  const { language } = useSurroundings()
  const { print, busy } = usePrint()
  const { number, receivedAt, receivedBy, voidReason, lines } = receipt
  return (
    <div>
      <Text fw={600} td={voidReason ? 'line-through' : undefined}>
        {lines.map((line) => t('papers.line', { name: line.name, count: line.copies })).join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('papers.by', { date: dateTime(receivedAt, language), name: receivedBy })}
      </Text>
      {voidReason && <Text size="sm">{t('papers.voided', { reason: voidReason })}</Text>}
      <Group gap="xs" mt={4}>
        <Button size="compact-md" variant="default" loading={busy} onClick={() => print(receipt)}>
          {t('papers.print', { number })}
        </Button>
        {!voidReason && (
          <Button size="compact-md" variant="subtle" color="red.9" onClick={onVoid}>
            {t('papers.void')}
          </Button>
        )}
      </Group>
    </div>
  )
}

type Line = { copies: number; legalised: boolean }

/** Records which documents were handed in on paper, how many copies, and whether they are legalised. */
function ReceiveDialog({ registrationId, name, onClose }: Omit<Props, 'receipts'> & { onClose: () => void }) {
  const { t } = useTranslation('student-files')
  const { print } = usePrint()
  const { data, error, refetch } = useEndpoint(listDocuments, { params: { id: registrationId } })
  const form = useForm({
    call: receivePapers,
    params: { id: registrationId },
    start: { broughtBy: name, note: '', lines: {} as Record<string, Line> },
    body: ({ broughtBy, note, lines }) => ({
      broughtBy: broughtBy.trim(),
      note: note.trim() || null,
      lines: Object.entries(lines).map(([documentId, line]) => ({ documentId, ...line })),
    }),
    done: ({ data: receipt }) => t('papers.done', { number: receipt.number }),
    onDone: ({ data: receipt }) => {
      onClose()
      print(receipt)
    },
  })
  const { lines } = form.values
  const change = (id: string, line: Line | null) => {
    const { [id]: _, ...others } = lines
    form.set({ lines: line ? { ...others, [id]: line } : others })
  }
  return (
    <DialogForm form={form} title={t('papers.receiveTitle')} submit={t('papers.save')} onClose={onClose}>
      <Text size="sm">{t('papers.help')}</Text>
      <Input.Wrapper
        component="fieldset"
        label={t('papers.which')}
        labelElement="div"
        style={{ border: 0, padding: 0, margin: 0 }}
        error={form.field('lines').error && t('papers.choose')}
      >
        <Stack gap="sm" mt="xs">
          {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={24} />}
          {data?.data.map(({ id, name: kind }) => {
            const line = lines[id]
            return (
              <div key={id}>
                <Checkbox
                  label={kind}
                  checked={line !== undefined}
                  onChange={({ currentTarget }) =>
                    change(id, currentTarget.checked ? { copies: 1, legalised: true } : null)
                  }
                />
                {line && (
                  <Group gap="md" mt="xs" ml="xl">
                    <NumberInput
                      aria-label={t('papers.copiesOf', { name: kind })}
                      min={1}
                      max={20}
                      w={96}
                      value={line.copies}
                      onChange={(copies) => change(id, { ...line, copies: Number(copies) || 1 })}
                    />
                    <Checkbox
                      label={t('papers.legalised')}
                      aria-label={t('papers.legalisedOf', { name: kind })}
                      checked={line.legalised}
                      onChange={({ currentTarget }) => change(id, { ...line, legalised: currentTarget.checked })}
                    />
                  </Group>
                )}
              </div>
            )
          })}
        </Stack>
      </Input.Wrapper>
      <TextInput label={t('papers.broughtBy')} {...form.text('broughtBy')} />
      <TextInput label={t('papers.note')} {...form.text('note')} />
    </DialogForm>
  )
}

/** Voids a receipt with a reason. */
function VoidDialog({ receipt, onClose }: { receipt: PaperReceipt; onClose: () => void }) {
  const { t } = useTranslation('student-files')
  const { id, number } = receipt
  return (
    <ReasonDialog
      call={voidPapers}
      params={{ receiptId: id }}
      title={t('papers.voidTitle', { number })}
      submit={t('papers.void')}
      danger
      label={t('papers.voidReason')}
      done={t('papers.voidDone', { number })}
      onClose={onClose}
    >
      <Text size="sm">{t('papers.voidHelp')}</Text>
    </ReasonDialog>
  )
}
