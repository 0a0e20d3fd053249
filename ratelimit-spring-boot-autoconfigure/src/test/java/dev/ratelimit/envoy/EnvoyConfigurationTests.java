package dev.ratelimit.envoy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.ratelimit.live.Json;
import io.envoyproxy.envoy.config.bootstrap.v3.Bootstrap;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the configuration of Envoy in the documentation is valid according to the
 * published classes of Envoy.
 */
class EnvoyConfigurationTests {

	@Test
	void theConfigurationInTheDocumentationIsParsed() throws IOException {
		Map<String, Object> yaml = new Yaml().load(Files.readString(Path.of("..", "docs", "envoy", "envoy.yaml")));
		TypeRegistry types = TypeRegistry.newBuilder()
			.add(HttpConnectionManager.getDescriptor())
			.add(RateLimit.getDescriptor())
			.add(Router.getDescriptor())
			.add(HttpProtocolOptions.getDescriptor())
			.build();
		Bootstrap.Builder bootstrap = Bootstrap.newBuilder();
		JsonFormat.parser().usingTypeRegistry(types).merge(Json.write(yaml), bootstrap);
		Filter filter = bootstrap.getStaticResources().getListeners(0).getFilterChains(0).getFilters(0);
		HttpConnectionManager manager = filter.getTypedConfig().unpack(HttpConnectionManager.class);
		RateLimit rateLimit = manager.getHttpFilters(0).getTypedConfig().unpack(RateLimit.class);
		assertThat(rateLimit.getDomain()).isEqualTo("edge");
		assertThat(rateLimit.getRateLimitService().getGrpcService().getEnvoyGrpc().getClusterName())
			.isEqualTo(bootstrap.getStaticResources().getClusters(1).getName());
		assertThat(rateLimit.getEnableXRatelimitHeadersValue()).as("the fields are those of the service").isZero();
	}

}
