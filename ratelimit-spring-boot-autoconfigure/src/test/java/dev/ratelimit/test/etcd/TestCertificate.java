package dev.ratelimit.test.etcd;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

import dev.ratelimit.test.clients.Command;

/**
 * A self-signed certificate for 127.0.0.1, for server and client. It has no common name,
 * because the gateway of etcd would reject one. The {@code keytool} of the JDK creates it
 * and its key.
 *
 * @param certificate the certificate, in PEM
 * @param key the key, in PEM
 */
public record TestCertificate(Path certificate, Path key) {

	private static final String PASSWORD = "secret";

	/**
	 * Make a certificate.
	 * @param directory the directory for the files
	 * @return the certificate
	 */
	public static TestCertificate create(Path directory) throws Exception {
		Path store = directory.resolve("store.p12");
		Command.run(directory,
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						"etcd", "-keyalg", "EC", "-dname", "O=etcd", "-ext", "san=ip:127.0.0.1", "-ext",
						"eku=serverAuth,clientAuth", "-storetype", "PKCS12", "-keystore", store.toString(),
						"-storepass", PASSWORD));
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream stored = Files.newInputStream(store)) {
			keys.load(stored, PASSWORD.toCharArray());
		}
		return new TestCertificate(
				pem(directory.resolve("etcd.crt"), "CERTIFICATE", keys.getCertificate("etcd").getEncoded()),
				pem(directory.resolve("etcd.key"), "PRIVATE KEY",
						keys.getKey("etcd", PASSWORD.toCharArray()).getEncoded()));
	}

	private static Path pem(Path file, String type, byte[] content) throws Exception {
		String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8)).encodeToString(content);
		return Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
	}

}
