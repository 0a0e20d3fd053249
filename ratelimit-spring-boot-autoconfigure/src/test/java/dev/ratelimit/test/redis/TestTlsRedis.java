package dev.ratelimit.test.redis;

import java.nio.file.Path;
import java.util.List;

/**
 * A server with one port for TLS and another for plain text, always a process.
 */
public final class TestTlsRedis implements AutoCloseable {

	private final TestRedis redis;

	private final int port;

	private final TestCertificate certificate;

	private TestTlsRedis(TestRedis redis, int port, TestCertificate certificate) {
		this.redis = redis;
		this.port = port;
		this.certificate = certificate;
	}

	/**
	 * Start a server for one test.
	 * @param directory the directory for its certificate
	 */
	public static TestTlsRedis start(Path directory) {
		TestCertificate certificate = TestCertificate.create(directory);
		return FreePort.tryPorts((port) -> start(port, certificate));
	}

	private static TestTlsRedis start(int port, TestCertificate certificate) {
		RedisNode node = RedisServers.processes()
			.start(List.of("--tls-port", String.valueOf(port), "--tls-cert-file", certificate.certificate().toString(),
					"--tls-key-file", certificate.key().toString(), "--tls-ca-cert-file",
					certificate.certificate().toString(), "--tls-auth-clients", "no"));
		return new TestTlsRedis(new TestRedis(node, false), port, certificate);
	}

	public String host() {
		return this.redis.host();
	}

	/**
	 * Return the port for TLS.
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return the certificate that a client must trust, as a PEM file.
	 */
	public Path certificate() {
		return this.certificate.certificate();
	}

	/**
	 * Return the same server at its port for plain text.
	 */
	public TestRedis plain() {
		return this.redis;
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
