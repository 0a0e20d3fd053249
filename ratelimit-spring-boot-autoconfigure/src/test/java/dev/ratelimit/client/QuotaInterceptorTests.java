package dev.ratelimit.client;

import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

class QuotaInterceptorTests extends AbstractQuotaTests {

	@Override
	int send(Quotas quotas, String url) {
		RateLimitRetry retry = new RateLimitRetry(RetrySettings.DEFAULT, this.retryTime, OutboundListener.NONE,
				() -> 0.5);
		return RestClient.builder()
			.requestFactory(new JdkClientHttpRequestFactory())
			.requestInterceptor(new RateLimitRetryInterceptor(retry))
			.requestInterceptor(new QuotaInterceptor(quotas))
			.build()
			.get()
			.uri(url)
			.exchange((sent, response) -> response.getStatusCode().value());
	}

}
