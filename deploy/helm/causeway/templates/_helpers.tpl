{{- define "causeway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "causeway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "causeway.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "causeway.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "causeway.selector" -}}
app.kubernetes.io/name: {{ include "causeway.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "causeway.labels" -}}
{{ include "causeway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/*
Pods that are no instance of the gateway, each kind under a name of its own: with the gateway's, its service, network policy
and disruption budget would take them for instances. Given as a list of the root and what the pod is for.
*/}}
{{- define "causeway.helperSelector" -}}
{{- $root := first . -}}
app.kubernetes.io/name: {{ printf "%s-%s" (include "causeway.name" $root | trunc 55 | trimSuffix "-") (last .) }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- end -}}

{{/* Where they run and with which image, the same as the gateway. */}}
{{- define "causeway.helperPlace" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "causeway.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "causeway.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "causeway.secretName" -}}
{{- default (printf "%s-secrets" (include "causeway.fullname" .)) .Values.existingSecret -}}
{{- end -}}

{{- define "causeway.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{/* The same for the gateway and for the job that migrates its database. */}}
{{- define "causeway.databaseEnv" -}}
- name: DATABASE_HOST
  value: {{ .Values.database.host | quote }}
- name: DATABASE_PORT
  value: {{ .Values.database.port | quote }}
- name: DATABASE_NAME
  value: {{ .Values.database.name | quote }}
- name: DATABASE_USER
  value: {{ .Values.database.user | quote }}
- name: AWS_REGION
  value: {{ .Values.aws.region | quote }}
{{- if .Values.database.iamAuth }}
- name: RDS_IAM_AUTH
  value: 'true'
{{- else }}
- name: DB_PASSWORD_FILE
  value: /secrets/database-password
{{- end }}
- name: ADMIN_PASSWORD_FILE
  value: /secrets/admin-password
- name: SECRET_KEY_FILE
  value: /secrets/secret-key
{{- range $name, $value := .Values.extraEnv }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "causeway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}
