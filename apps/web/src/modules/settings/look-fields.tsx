import { ColorInput, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { colours } from '#domain/navigation/constants.ts'
import { type GeneralSettings, removeLogo, uploadLogo } from '#domain/settings/endpoints.ts'
import { colourPattern, inkOn, isUsableColour, paletteOf } from '#domain/settings/palette.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import classes from './settings.module.css'
import { type Section, useTakeOver } from './use-section.ts'

const swatches = ['#009EF7', '#0B5CAD', '#1B7F4B', '#8A1538', '#7A1FA2', '#C2410C', '#B8860B', '#1F2A5A']

/** Selects the primary colour, with a preview and its WCAG contrast ratios. */
export function ColourField({ section }: { section: Section }) {
  const { t } = useTranslation('settings')
  const { primaryColour } = section.form.values
  const usable = colourPattern.test(primaryColour) && isUsableColour(primaryColour)
  return (
    <Stack gap="sm">
      <ColorInput
        label={t('fields.primaryColour')}
        value={primaryColour}
        format="hex"
        swatches={swatches}
        w={{ base: '100%', sm: 320 }}
        maw="100%"
        {...section.form.field('primaryColour')}
        eyeDropperButtonProps={{ 'aria-label': t('colourPick') }}
        onChange={(value) => section.form.set({ primaryColour: value.toUpperCase() })}
      />
      {usable && <Preview colour={primaryColour} />}
    </Stack>
  )
}

const formatRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1).replace('.', ',')

function Preview({ colour }: { colour: string }) {
  const { t } = useTranslation('settings')
  const { shades, buttons, onAside } = paletteOf(colour)
  const ink = inkOn(shades[5])
  const lightened = shades[5].toUpperCase() !== colour.toUpperCase()
  const colourVariables = {
    '--filled': shades[5],
    '--ink': ink,
    '--link': shades[7],
    '--accent': shades[5],
    '--onDark': shades[4],
  } as CSSProperties
  return (
    <div role="group" aria-label={t('preview')}>
      <div className={classes.preview} style={colourVariables}>
        <div className={classes.page}>
          <span className={classes.button}>{t('previewButton')}</span>
          <span className={classes.link}>{t('previewLink')}</span>
        </div>
        <div className={classes.aside}>
          <span className={classes.active}>{t('previewMenu')}</span>
          <span className={classes.darkLink}>{t('previewLink')}</span>
        </div>
      </div>
      <Text size="sm" mt="xs" aria-live="polite">
        {t(ink === colours.ink ? 'measured.darkInk' : 'measured.whiteInk', { ratio: formatRatio(buttons) })}
      </Text>
      <Text size="sm">
        {t(lightened ? 'measured.asideLightened' : 'measured.aside', { ratio: formatRatio(onAside) })}
      </Text>
    </div>
  )
}

/** Uploads the logo as soon as it is chosen. */
export function LogoField({ data, editable }: { data: GeneralSettings; editable: boolean }) {
  const { t } = useTranslation('settings')
  const takeOver = useTakeOver()
  return (
    <Stack gap="xs">
      <Text fw={500}>{t('fields.logoFileId')}</Text>
      <Group align="flex-start">
        {data.logoUrl && <img src={data.logoUrl} alt={t('currentLogo')} className={classes.logo} />}
        {editable && data.logoUrl && (
          <ConfirmButton
            variant="default"
            message={t('logoRemoveText')}
            danger
            onConfirm={async () => {
              takeOver((await sendOnce(removeLogo)).data)
              notifications.show({ color: 'green', message: t('logoRemoved') })
            }}
          >
            {t('logoRemove')}
          </ConfirmButton>
        )}
      </Group>
      {editable && (
        <FileDrop
          label={t('logoDrop')}
          hint={t('logoText')}
          accept={['image/png', 'image/jpeg', 'image/webp']}
          maxBytes={2_000_000}
          shrink={false}
          onSend={async (file, onProgress, signal) => {
            const form = new FormData()
            form.append('file', file)
            const { data: next } = await upload<{ data: GeneralSettings }>(uploadLogo.path, form, onProgress, {
              signal,
            })
            takeOver(next)
            notifications.show({ color: 'green', message: t('logoSaved') })
          }}
        />
      )}
    </Stack>
  )
}
