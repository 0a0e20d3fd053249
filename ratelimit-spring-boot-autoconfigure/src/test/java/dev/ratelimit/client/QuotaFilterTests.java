package dev.ratelimit.client;

import java.time.Duration;

import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

class QuotaFilterTests extends AbstractQuotaTests {

	@Override
	int send(Quotas quotas, String url) {
		RateLimitRetry retry = new RateLimitRetry(RetrySettings.DEFAULT, this.retryTime, OutboundListener.NONE,
				() -> 0.5);
		Integer status = WebClient.builder()
			.clientConnector(new JdkClientHttpConnector())
			.filter(new RateLimitRetryFilter(retry))
			.filter(new QuotaFilter(quotas))
			.build()
			.get()
			.uri(url)
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
			.block(Duration.ofSeconds(20));
		assertThat(status).isNotNull();
		return status;
	}

}
