package dev.ratelimit.test.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate for the loopback address of this machine, and its key, as PEM
 * files. The {@code keytool} of the JDK creates them.
 *
 * @param certificate the file of the certificate
 * @param key the file of the key
 */
record TestCertificate(Path certificate, Path key) {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private static final String ALIAS = "redis";

	static TestCertificate create(Path directory) {
		try {
			Path store = directory.resolve("keys.p12");
			runKeytool(store);
			KeyStore keys = load(store);
			return new TestCertificate(
					write(directory.resolve("certificate.pem"), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
					write(directory.resolve("key.pem"), "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD).getEncoded()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void runKeytool(Path store) throws IOException {
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost",
				"-ext", "SAN=ip:127.0.0.1,dns:localhost", "-validity", "2", "-storetype", "PKCS12", "-keystore",
				store.toString(), "-storepass", new String(PASSWORD));
		Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
		String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (!Files.exists(store)) {
			throw new IllegalStateException("keytool made no certificate: " + said);
		}
	}

	private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			keys.load(in, PASSWORD);
		}
		return keys;
	}

	private static Path write(Path file, String type, byte[] content) throws IOException {
		String text = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files.writeString(file, "-----BEGIN %s-----\n%s\n-----END %1$s-----\n".formatted(type, text));
	}

}
