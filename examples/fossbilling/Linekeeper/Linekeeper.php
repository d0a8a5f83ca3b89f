<?php

declare(strict_types=1);

/**
 * Sells lines of a Linekeeper panel: a plugin for custom products of FOSSBilling. Its configuration in the product:
 *
 *     {"panel": "https://panel.example.com", "api_key": "lk_…", "plan_id": "…"}
 *
 * `plan_id` may be left out. The order form of the product has the fields `username` and `password`.
 */
class Linekeeper
{
    /** @param array{panel?: string, api_key?: string, plan_id?: string} $config */
    public function __construct(private array $config)
    {
    }

    /** Sells the line of a paid order. The key makes a repeated call return the first sale. */
    public function activate(array $service, array $order): void
    {
        $body = [
            'username' => $service['username'] ?? '',
            'password' => $service['password'] ?? '',
            'subscription_months' => $this->months($order),
        ];
        if (!empty($this->config['plan_id'])) {
            $body['plan_id'] = $this->config['plan_id'];
        }
        $this->call('POST', '/api/lines', $body, "order-{$order['id']}");
    }

    /** Renews the line. FOSSBilling moves `expires_at` only after this, so each period has a key of its own. */
    public function renew(array $service, array $order): void
    {
        $path = "/api/lines/{$this->lineId($service)}/renew";
        $key = "renewal-{$order['id']}-{$order['expires_at']}";
        $this->call('POST', $path, ['subscription_months' => $this->months($order)], $key);
    }

    public function suspend(array $service, array $order): void
    {
        $this->call('POST', "/api/lines/{$this->lineId($service)}/suspend", ['reason' => "Order {$order['id']}"]);
    }

    public function unsuspend(array $service, array $order): void
    {
        $this->call('POST', "/api/lines/{$this->lineId($service)}/resume", []);
    }

    public function cancel(array $service, array $order): void
    {
        $this->suspend($service, $order);
    }

    public function uncancel(array $service, array $order): void
    {
        $this->unsuspend($service, $order);
    }

    public function delete(array $service, array $order): void
    {
        $this->call('DELETE', "/api/lines/{$this->lineId($service)}");
    }

    /** The months of a period such as 1M, 3M or 1Y. */
    private function months(array $order): int
    {
        if (!preg_match('/^(\d+)([MY])$/', (string) ($order['period'] ?? ''), $found)) {
            throw new RuntimeException('Lines are sold by months and years');
        }

        return (int) $found[1] * ($found[2] === 'Y' ? 12 : 1);
    }

    private function lineId(array $service): string
    {
        $found = $this->call('POST', '/api/lines/look-up', ['usernames' => [$service['username'] ?? '']]);

        return $found['items'][0]['id'] ?? throw new RuntimeException('The panel has no such line');
    }

    /** Throws with the panel's own sentence if it refuses the call. */
    private function call(string $method, string $path, ?array $body = null, ?string $key = null): array
    {
        $headers = ["Authorization: Bearer {$this->config['api_key']}", 'Accept: application/json'];
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        $content = $body === null ? null : json_encode((object) $body, JSON_THROW_ON_ERROR);
        $options = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 30];
        $context = stream_context_create(['http' => $options + ['content' => $content]]);
        $reply = @file_get_contents(rtrim($this->config['panel'], '/') . $path, false, $context);
        if ($reply === false) {
            throw new RuntimeException('The panel cannot be reached');
        }
        $found = json_decode($reply, true) ?? [];
        preg_match('#^HTTP/\S+ (\d+)#', $http_response_header[0] ?? '', $status);
        if ((int) ($status[1] ?? 0) >= 300) {
            throw new RuntimeException($found['message'] ?? "The panel refused the call with status $status[1]");
        }

        return $found;
    }
}
