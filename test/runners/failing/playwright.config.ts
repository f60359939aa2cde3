import { defineConfig } from '@playwright/test'

export default defineConfig({ testMatch: '*.pw.ts', workers: 1, reporter: 'list' })
