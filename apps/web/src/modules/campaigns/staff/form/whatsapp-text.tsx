import { Alert, Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { listCampaignTemplates, type TemplateRow } from '#domain/campaigns/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './form.module.css'

/** Loads up to 100 active templates of an audience. Templates approved for WhatsApp have a `providerTemplate`. */
export function useTemplates(audience: CampaignDraft['audience']) {
  const { data, error } = useEndpoint(
    listCampaignTemplates,
    { query: { audience, active: 'true', per_page: 100 } },
    { staleTime: 60_000 },
  )
  return { templates: data?.data ?? [], error }
}

const freeText = 'free'

type Props = CheckedField & {
  templates: readonly TemplateRow[]
  loadError: Error | null
  /** Id of the template; null for free text. */
  value: string | null
  onChange: (templateId: string | null) => void
  /**
   * Number of recipients outside WhatsApp's 24-hour window; undefined until known. Null if the connection has no such
   * window.
   */
  outsideWindow: number | null | undefined
  /** Undefined if the user may not open the templates. */
  templatesPath: string | undefined
}

/**
 * Chooses between an approved template and free text. Meta accepts free text for 24 hours after the recipient's last
 * message.
 */
export function WhatsappText(props: Props) {
  const { templates, loadError, value, onChange, outsideWindow, templatesPath, ...field } = props
  const { t } = useTranslation('send')
  const { language } = useSurroundings()
  const missing = useMissing()
  const approved = templates.filter(({ providerTemplate }) => providerTemplate !== null)
  const chosen = approved.find(({ id }) => id === value)
  return (
    <Stack gap="sm">
      <Select
        label={t('text.whatsapp')}
        description={missing(t('text.whatsapp'), loadError) ?? (chosen ? undefined : t('text.freeHelp'))}
        data={[
          { value: freeText, label: t('text.free') },
          ...approved.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value ?? freeText}
        allowDeselect={false}
        onChange={(choice) => onChange(choice === freeText ? null : choice)}
        {...field}
      />
      {chosen ? (
        <div className={classes.phone}>
          <div className={classes.bubble} lang={language}>
            {language === 'id' ? chosen.bodyId : chosen.bodyEn}
          </div>
        </div>
      ) : (
        typeof outsideWindow === 'number' && (
          <Alert variant="light" color="yellow" title={t('text.window')}>
            <Stack gap="xs">
              {outsideWindow > 0 && (
                <Text size="sm">
                  {t('text.outside', { count: outsideWindow, formatted: wholeNumber(outsideWindow) })}
                </Text>
              )}
              {approved.length > 0 ? (
                <>
                  <Text size="sm">{t('text.offer')}</Text>
                  <Group gap="xs">
                    {approved.slice(0, 5).map(({ id, name }) => (
                      <Button key={id} variant="default" size="compact-md" onClick={() => onChange(id)}>
                        {name}
                      </Button>
                    ))}
                  </Group>
                </>
              ) : (
                <Text size="sm">
                  {t('text.noTemplate')}{' '}
                  {templatesPath && (
                    <Anchor component={Link} to={templatesPath} c="inherit" inherit underline="always">
                      {t('text.openTemplates')}
                    </Anchor>
                  )}
                </Text>
              )}
            </Stack>
          </Alert>
        )
      )}
    </Stack>
  )
}
