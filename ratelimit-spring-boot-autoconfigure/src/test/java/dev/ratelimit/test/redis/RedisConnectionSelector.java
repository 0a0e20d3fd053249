package dev.ratelimit.test.redis;

import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Lets Spring Boot derive the connection from a container if the server runs in one.
 */
final class RedisConnectionSelector implements ImportSelector {

	@Override
	public String[] selectImports(AnnotationMetadata metadata) {
		return imports(RedisServers.source());
	}

	/*
	 * Spring Boot looks for containers among the beans defined so far, so its
	 * configuration comes last.
	 */
	static String[] imports(RedisSource source) {
		if (source instanceof RedisSource.Docker) {
			return new String[] { RedisContainerConfiguration.class.getName(),
					ServiceConnectionAutoConfiguration.class.getName() };
		}
		return new String[] { RedisProcessConfiguration.class.getName() };
	}

}
