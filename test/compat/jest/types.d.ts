import 'creator-api-sandbox/jest'
