import { Alert, Button, Checkbox, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  type Audience,
  channelsOf,
  needsTexts,
  placeholdersOfAudience,
  purposesOf,
} from '#domain/campaigns/campaigns.ts'
import type { Campaign, CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { type Screen, sharedParts } from '#domain/campaigns/screens.ts'
import { wholeNumber } from '#locales/format.ts'
import { useSharedPath } from '#web/modules/campaigns/staff/shared-links.tsx'
import { TextFields } from '#web/modules/campaigns/staff/text-fields.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DraftSaved } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AudienceFilters } from './audience-filters.tsx'
import { ChannelOrder } from './channel-order.tsx'
import { withAudience } from './draft.ts'
import { PreviewCard } from './preview-card.tsx'
import { SheetFields } from './sheet-fields.tsx'
import { type CampaignFormState, useCampaignForm } from './use-campaign-form.ts'
import { useTemplates, WhatsappText } from './whatsapp-text.tsx'

type Props = { screen: Screen; campaign?: Campaign }

/** Form of a campaign, with recipients, purpose, channels, texts and preview on one page. */
export function CampaignForm({ screen, campaign }: Props) {
  const { t } = useTranslation('send')
  const { say } = useSurroundings()
  const title = useScreenTitle()
  const wayBack = useWayBack()
  const state = useCampaignForm(screen, campaign)
  const { form, device, preview, busy } = state
  return (
    <>
      <PageHeader
        title={campaign ? t('form.editTitle', { name: campaign.name }) : title}
        description={<DraftSaved savedAt={device.savedAt} failed={device.failed} />}
      />
      <PageForm
        form={{ ...form, busy: busy === 'plan', submit: () => state.save('plan') }}
        submit={t('form.plan')}
        gap={20}
        maw={1040}
        beside={
          <>
            <Button variant="default" loading={busy === 'draft'} onClick={() => state.save('draft')}>
              {t('form.saveDraft')}
            </Button>
            <Button
              component={Link}
              {...wayBack(campaign ? `${screen.path}/${campaign.id}` : screen.path)}
              variant="subtle"
              children={say('actions.cancel')}
            />
          </>
        }
      >
        {device.restored && (
          <Alert variant="light" title={t('form.restored')}>
            <Button variant="default" size="compact-md" onClick={state.startAnew}>
              {t(campaign ? 'form.dropChanges' : 'form.startAnew')}
            </Button>
          </Alert>
        )}
        <RecipientsCard {...{ screen, state }} {...(campaign && { campaign })} />
        <WayCard state={state} />
        <TextCard {...{ screen, state }} />
        <PreviewCard
          preview={preview.data?.data}
          error={preview.error}
          onRetry={preview.refetch}
          isFetching={preview.isFetching}
          isComplete={state.isComplete}
        />
        <Text size="sm" c="dimmed">
          {t('form.planHelp')}
        </Text>
      </PageForm>
    </>
  )
}

/** Audiences with the purpose `service`. */
type ServedAudience = Exclude<Audience, 'leads' | 'schools'>

type PartProps = { state: CampaignFormState }

function RecipientsCard({ screen, campaign, state }: Props & PartProps) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { draft, set, setDraft, form, preview } = state
  const { audience, filters } = draft
  const found = preview.data?.data
  return (
    <Card title={t('step.recipients')}>
      <Stack gap="md">
        <TextInput label={t('form.name')} description={t('form.nameHelp')} {...form.text('name')} />
        {campaign?.parent ? (
          <Alert variant="light">
            {t('form.follows', { name: campaign.parent.name })}
            <Facts facts={campaign.audienceWords.map(({ label, value }) => [label, value])} />
          </Alert>
        ) : (
          <>
            {screen.audiences.length > 1 && (
              <Select
                label={t('campaigns:column.audience')}
                data={screen.audiences.map((value) => ({ value, label: t(`campaigns:audience.${value}`) }))}
                value={audience}
                allowDeselect={false}
                onChange={(value) => value && setDraft((before) => withAudience(before, value as Audience))}
                {...form.field('audience')}
              />
            )}
            {audience === 'sheet' ? (
              <SheetFields {...form.value('sheetId')} />
            ) : (
              <Stack gap="xs" data-field="filters">
                <Text size="sm" c="dimmed">
                  {t(`audience.help.${audience}`)}
                </Text>
                <AudienceFilters
                  key={audience}
                  audience={audience}
                  filters={filters}
                  onChange={(next) => set({ filters: next })}
                />
                {form.errorOf('filters') && (
                  <Text size="sm" c="var(--mantine-color-error)" role="alert">
                    {form.errorOf('filters')}
                  </Text>
                )}
              </Stack>
            )}
            <Text fw={600} role="status" aria-live="polite">
              {found &&
                state.isReady &&
                t('audience.count', {
                  count: found.people,
                  formatted: wholeNumber(found.people),
                  reachable: wholeNumber(found.reachable),
                })}
            </Text>
          </>
        )}
      </Stack>
    </Card>
  )
}

function WayCard({ state: { draft, set, form } }: PartProps) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { audience, purpose, ignoresQuietHours } = draft
  return (
    <Card title={t('step.way')}>
      <Stack gap="lg">
        <Radio.Group
          label={t('way.purpose')}
          value={purpose}
          onChange={(value) =>
            set({
              purpose: value as CampaignDraft['purpose'],
              ignoresQuietHours: ignoresQuietHours && value === 'service',
            })
          }
          {...form.field('purpose')}
        >
          <Stack gap="xs" mt="xs">
            {purposesOf[audience].map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`campaigns:purpose.${value}`)}
                description={
                  value === 'service'
                    ? t(`campaigns:purposeHelp.service.${audience as ServedAudience}`)
                    : t(`campaigns:purposeHelp.${value}`)
                }
              />
            ))}
          </Stack>
        </Radio.Group>
        {purpose === 'service' && (
          <Checkbox
            label={t('way.ignoresQuietHours')}
            description={t('way.ignoresQuietHoursHelp')}
            {...form.box('ignoresQuietHours')}
          />
        )}
        <ChannelOrder offered={channelsOf[audience]} {...form.value('channels')} />
      </Stack>
    </Card>
  )
}

function TextCard({ screen, state: { draft, set, form, preview, columns } }: Pick<Props, 'screen'> & PartProps) {
  const { t } = useTranslation('send')
  const { audience, channels, templateId } = draft
  const { templates, error } = useTemplates(audience)
  const sharedPath = useSharedPath(screen)
  const hasWhatsapp = channels.includes('whatsapp')
  return (
    <Card title={t('step.text')}>
      <Stack gap="lg">
        {hasWhatsapp && (
          <WhatsappText
            templates={templates}
            loadError={error}
            outsideWindow={preview.data?.data.outsideWindow}
            templatesPath={sharedPath && `${sharedPath}/${sharedParts.templates}`}
            {...form.value('templateId')}
          />
        )}
        {needsTexts(channels, templateId !== null) ? (
          <>
            {templates.length > 0 && (
              <Select
                label={t('text.start')}
                description={t('text.startHelp')}
                placeholder={t('text.startNone')}
                data={templates.map(({ id, name }) => ({ value: id, label: name }))}
                value={null}
                searchable
                openOnFocus={false}
                onChange={(id) => {
                  const template = templates.find((one) => one.id === id)
                  if (!template) return
                  const { subjectId, subjectEn, bodyId, bodyEn } = template
                  set({ subjectId, subjectEn, bodyId, bodyEn })
                }}
              />
            )}
            <TextFields form={form} placeholders={placeholdersOfAudience(audience, columns)} />
            {draft.purpose !== 'service' && (
              <Text size="sm" c="dimmed">
                {[
                  ...(channels.includes('email') ? [t('text.optOutAdded.email')] : []),
                  ...(hasWhatsapp && templateId === null ? [t('text.optOutAdded.whatsapp')] : []),
                ].join(' ')}
              </Text>
            )}
          </>
        ) : (
          <Text c="dimmed">{t('text.templateOnly')}</Text>
        )}
      </Stack>
    </Card>
  )
}
