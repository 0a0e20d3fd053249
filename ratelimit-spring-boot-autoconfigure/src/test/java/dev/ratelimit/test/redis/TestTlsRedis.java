package dev.ratelimit.test.redis;

import java.nio.file.Path;
import java.util.List;

/**
 * A server that speaks TLS on one port and plain text on another, always a process.
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
	 * @param directory where to put its certificate
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
	 * The port where TLS is spoken.
	 */
	public int port() {
		return this.port;
	}

	/**
	 * The certificate that a client must trust, as a file of PEM.
	 */
	public Path certificate() {
		return this.certificate.certificate();
	}

	/**
	 * The same server by its port for plain text.
	 */
	public TestRedis plain() {
		return this.redis;
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
