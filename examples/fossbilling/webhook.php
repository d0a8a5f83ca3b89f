<?php

declare(strict_types=1);

/**
 * Receives webhooks of a Linekeeper panel, each once, and writes them to a file. Put what your shop does in place of the
 * last lines. LINEKEEPER_SECRET is the secret that the panel has shown, and LINEKEEPER_FOLDER a folder that no browser
 * reaches.
 */

const TOLERANCE_SECONDS = 300;

$body = (string) file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(substr((string) getenv('LINEKEEPER_SECRET'), strlen('whsec_')));
$sound = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

// There are two signatures in the day after a rotation.
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$is_signed = $key !== '' && array_filter($given, fn (string $one) => hash_equals($sound, $one)) !== [];
if (!$is_signed || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS || !preg_match('/^[\w-]+$/', $id)) {
    http_response_code(401);
    exit;
}

// The id is the same when a delivery is repeated. Opening its file with "x" succeeds once.
$folder = (string) getenv('LINEKEEPER_FOLDER');
if (@fopen("$folder/$id", 'x') === false) {
    http_response_code(is_file("$folder/$id") ? 200 : 500);
    exit;
}

['type' => $type, 'data' => $data] = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
file_put_contents("$folder/events.log", "$type " . json_encode($data) . "\n", FILE_APPEND | LOCK_EX);
http_response_code(204);
