import { Button, Group, Modal, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { verifyProposal } from '#domain/schools/endpoints.ts'
import type { SchoolProposal } from '#domain/schools/lists.ts'
import { longDate, percent } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { RejectProposal } from './reject-proposal.tsx'

const startOf = (proposal: SchoolProposal) => ({
  npsn: proposal.provisional ? '' : proposal.npsn,
  name: proposal.name,
  schoolTypeId: proposal.schoolTypeId,
  status: proposal.status,
  cityId: proposal.cityId,
  districtId: proposal.districtId,
  address: proposal.address ?? '',
})

type Props = { proposal: SchoolProposal; onClose: () => void }

/** Checks one proposal: corrects its data, compares similar schools, then accepts, merges or refuses it. */
export function CheckProposal({ proposal, onClose }: Props) {
  const { t } = useTranslation(['schools', 'common'])
  const { language } = useSurroundings()
  const [mergeWith, setMergeWith] = useState<string | null>(null)
  const [rejecting, setRejecting] = useState(false)
  const form = useForm({
    call: verifyProposal,
    params: { id: proposal.id },
    start: () => startOf(proposal),
    body: (values) => ({
      ...values,
      npsn: values.npsn || proposal.npsn,
      address: values.address || null,
      version: proposal.version,
    }),
    done: ({ data }) => t('proposals.verified', { name: data.name }),
    onDone: onClose,
  })

  if (mergeWith)
    return <MergeDialog ids={[mergeWith, proposal.id]} onClose={() => setMergeWith(null)} onMerged={onClose} />
  if (rejecting) return <RejectProposal proposal={proposal} onClose={() => setRejecting(false)} onDone={onClose} />
  return (
    <Modal
      opened
      onClose={onClose}
      size="60rem"
      title={t('proposals.verifyTitle')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Matches proposal={proposal} onMerge={setMergeWith} />
        <PageForm
          form={form}
          submit={t('proposals.verify')}
          gap="sm"
          layOut={(saveButton) => (
            <Group justify="space-between" mt="lg">
              <Button
                variant="outline"
                color="red.9"
                onClick={() => setRejecting(true)}
                children={t('proposals.reject')}
              />
              <Group>
                <Button variant="default" onClick={onClose} children={t('merge.cancel')} />
                {saveButton}
              </Group>
            </Group>
          )}
        >
          <Text size="sm" c="dimmed">
            {proposal.proposedBy &&
              `${t('proposals.told', { name: proposal.proposedBy, date: longDate(proposal.createdAt, language) })} `}
            {t('proposals.verifyText')}
          </Text>
          <SchoolFields proposal={proposal} form={form} />
        </PageForm>
      </SimpleGrid>
    </Modal>
  )
}

type FieldsProps = {
  proposal: SchoolProposal
  form: Bindings<ReturnType<typeof startOf>> & Pick<Checks, 'field'>
}

/** Data of the proposed school; a new city clears the district. */
function SchoolFields({ proposal, form }: FieldsProps) {
  const { t } = useTranslation('schools')
  const { values, set } = form
  return (
    <>
      <TextInput label={t('fields.name')} {...form.text('name')} />
      <TextInput
        label={t('fields.npsn')}
        value={values.npsn}
        placeholder={proposal.provisional ? `${proposal.npsn} (${t('provisional')})` : undefined}
        onChange={(event) => set({ npsn: event.currentTarget.value.trim() })}
        {...form.field('npsn')}
      />
      <ReferenceSelect
        to="sma"
        label={t('fields.schoolTypeId')}
        title={proposal.schoolType}
        {...form.choice('schoolTypeId')}
      />
      <Select
        label={t('fields.status')}
        data={(['negeri', 'swasta'] as const).map((value) => ({ value, label: t(`status.${value}`) }))}
        allowDeselect={false}
        {...form.choice('status')}
      />
      <ReferenceSelect
        to="kota"
        label={t('fields.cityId')}
        value={values.cityId}
        title={proposal.city}
        onChange={(value) => value && set({ cityId: value, districtId: null })}
        {...form.field('cityId')}
      />
      <ReferenceSelect
        to="kecamatan"
        label={t('fields.districtId')}
        parent={values.cityId}
        parentLabel={t('fields.cityId')}
        clearable
        {...(proposal.district && { title: proposal.district })}
        {...form.value('districtId')}
      />
      <Textarea label={t('fields.address')} {...form.text('address')} />
    </>
  )
}

type MatchesProps = { proposal: SchoolProposal; onMerge: (schoolId: string | null) => void }

/** Schools similar to the proposal, and a search for another one to merge with. */
function Matches({ proposal, onMerge }: MatchesProps) {
  const { t } = useTranslation('schools')
  const [otherId, setOtherId] = useState<string | null>(null)
  return (
    <Stack gap="sm">
      <Card title={t('proposals.matches')}>
        <Stack gap="sm">
          {proposal.matches.length === 0 && <Text size="sm" c="dimmed" children={t('proposals.noMatch')} />}
          {proposal.matches.map((match) => (
            <Group key={match.id} justify="space-between" gap="4px 12px" align="start">
              <div style={{ flex: '1 1 180px' }}>
                <Text size="sm" fw={500} children={match.name} />
                <Text size="xs" c="dimmed">
                  {[match.npsn, t('similarity', { share: percent(match.similarity / 100) }), match.place]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </div>
              <Button
                size="compact-md"
                variant="default"
                style={{ flex: 'none' }}
                aria-label={`${t('proposals.mergeInto')}: ${match.name} (${match.npsn})`}
                onClick={() => onMerge(match.id)}
              >
                {t('proposals.mergeInto')}
              </Button>
            </Group>
          ))}
          <Group align="end" gap="8px 12px">
            <div style={{ flex: '1 1 180px' }}>
              <ReferenceSelect
                to="sma-nama"
                label={t('proposals.searchOther')}
                value={otherId}
                onChange={setOtherId}
                clearable
              />
            </div>
            <Button
              variant="default"
              disabled={!otherId || otherId === proposal.id}
              onClick={() => onMerge(otherId)}
              children={t('proposals.mergeInto')}
            />
          </Group>
          <Text size="xs" c="dimmed" children={t('proposals.mergeHelp')} />
        </Stack>
      </Card>
    </Stack>
  )
}
