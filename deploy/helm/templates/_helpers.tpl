{{- define "portico.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "portico.labels" -}}
app.kubernetes.io/name: portico
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "portico.env" -}}
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "portico.security" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* The user `node` of the image. */}}
{{- define "portico.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "portico.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- if .Values.files.existingClaim }}
- { name: data, persistentVolumeClaim: { claimName: {{ .Values.files.existingClaim }} } }
{{- else }}
- { name: data, emptyDir: {} }
{{- end }}
{{- end }}

{{/* One set of replicas; takes the context, the role and whether it runs jobs. */}}
{{- define "portico.deployment" -}}
{{- $role := .role }}
{{- $workers := .workers }}
{{- $settings := index .context.Values .role }}
{{- with .context }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-{{ $role }}
  labels: {{- include "portico.labels" . | nindent 4 }}
spec:
  replicas: {{ $settings.replicas }}
  # No replica is taken away before its successor is ready.
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  selector:
    matchLabels:
      {{- include "portico.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "portico.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      {{- with .Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 30
      securityContext: {{- include "portico.podSecurity" . | nindent 8 }}
      containers:
        - name: portal
          image: {{ include "portico.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          ports: [{ name: http, containerPort: 3000 }]
          env:
            - { name: WORKERS, value: {{ $workers | quote }} }
            {{- include "portico.env" . | nindent 12 }}
          envFrom: [{ secretRef: { name: {{ .Values.existingSecret }} } }]
          securityContext: {{- include "portico.security" . | nindent 12 }}
          # Migrations of the hook are done, so a start takes seconds.
          startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 60 }
          readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 2, failureThreshold: 2 }
          livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, failureThreshold: 3 }
          # The pod leaves the service before it is asked to stop.
          lifecycle: { preStop: { exec: { command: [sleep, "3"] } } }
          volumeMounts: [{ name: tmp, mountPath: /tmp }, { name: data, mountPath: /data }]
          resources: {{- toYaml $settings.resources | nindent 12 }}
      volumes: {{- include "portico.volumes" . | nindent 8 }}
{{- end }}
{{- end }}
