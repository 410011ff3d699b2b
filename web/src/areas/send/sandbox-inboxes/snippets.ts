// How programs are told to send to an inbox: their settings, and nothing else.

interface Place {
  host: string;
  port: number;
  user: string;
  password: string;
}

interface Snippet {
  name: string;
  code: (place: Place) => string;
}

/** A certificate that was made here is signed by nobody that these programs know. */
export const SNIPPETS: readonly Snippet[] = [
  {
    name: 'Nodemailer',
    code: ({ host, port, user, password }) => `const transport = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  secure: false,
  auth: { user: '${user}', pass: '${password}' },
  tls: { rejectUnauthorized: false },
});`,
  },
  {
    name: 'curl',
    code: ({ host, port, user, password }) => `curl --url 'smtp://${host}:${port}' --ssl-reqd --insecure \\
  --user '${user}:${password}' \\
  --mail-from app@shop.example --mail-rcpt ann@example.com \\
  --upload-file message.eml`,
  },
  {
    name: 'swaks',
    code: ({ host, port, user, password }) => `swaks --server ${host} --port ${port} --tls \\
  --auth PLAIN --auth-user '${user}' --auth-password '${password}' \\
  --from app@shop.example --to ann@example.com`,
  },
  {
    name: 'Rails',
    code: ({ host, port, user, password }) => `# config/environments/development.rb
config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "${user}",
  password: "${password}",
  authentication: :plain,
  enable_starttls_auto: true,
  openssl_verify_mode: "none"
}`,
  },
  {
    name: 'Django',
    code: ({ host, port, user, password }) => `# settings.py
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
EMAIL_HOST_USER = "${user}"
EMAIL_HOST_PASSWORD = "${password}"
# True where the certificate of this installation is one that Python trusts.
EMAIL_USE_TLS = False`,
  },
  {
    name: 'Laravel',
    code: ({ host, port, user, password }) => `# .env; verify_peer is an option of config/mail.php, mailers.smtp
MAIL_MAILER=smtp
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=${user}
MAIL_PASSWORD=${password}

# config/mail.php
'smtp' => [
    // what stands there already, and
    'verify_peer' => false,
],`,
  },
  {
    name: 'Spring',
    code: ({ host, port, user, password }) => `# application.properties
spring.mail.host=${host}
spring.mail.port=${port}
spring.mail.username=${user}
spring.mail.password=${password}
spring.mail.properties.mail.smtp.auth=true
spring.mail.properties.mail.smtp.starttls.enable=true
spring.mail.properties.mail.smtp.ssl.trust=*`,
  },
  {
    name: 'PHPMailer',
    code: ({ host, port, user, password }) => `$mail->isSMTP();
$mail->Host = '${host}';
$mail->Port = ${port};
$mail->SMTPAuth = true;
$mail->Username = '${user}';
$mail->Password = '${password}';
$mail->SMTPSecure = PHPMailer::ENCRYPTION_STARTTLS;
$mail->SMTPOptions = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'allow_self_signed' => true]];`,
  },
  {
    name: 'Go',
    code: ({ host, port, user, password }) => `// net/smtp logs in without TLS on localhost only.
auth := smtp.PlainAuth("", "${user}", "${password}", "${host}")
err := smtp.SendMail("${host}:${port}", auth, "app@shop.example", []string{"ann@example.com"}, message)`,
  },
  {
    name: '.NET',
    code: ({ host, port, user, password }) => `// MailKit
using var client = new SmtpClient();
client.ServerCertificateValidationCallback = (sender, certificate, chain, errors) => true;
await client.ConnectAsync("${host}", ${port}, SecureSocketOptions.StartTls);
await client.AuthenticateAsync("${user}", "${password}");`,
  },
  {
    name: 'Python',
    code: ({ host, port, user, password }) => `with smtplib.SMTP("${host}", ${port}) as server:
    server.starttls(context=ssl._create_unverified_context())
    server.login("${user}", "${password}")
    server.send_message(message)`,
  },
];
